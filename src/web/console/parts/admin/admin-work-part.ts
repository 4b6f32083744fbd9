import { html, type TemplateResult } from 'lit-html';
import { count, fill, size, time } from '../../ui/format.ts';
import { pressing } from '../../ui/handlers.ts';
import { empty } from '../../ui/placeholders.ts';
import { say } from '../../ui/toast.ts';
import { adminWords } from '../../words/words-admin.ts';
import type { FailedJob, LimitHit, Queue } from './admin-service.ts';
import type { AdminDesk, AdminView } from './admin-workspace.ts';

/** What the service does in the background, and which limits refused requests. */

const { work, limits } = adminWords;

const table = (columns: readonly string[], rows: readonly TemplateResult[]): TemplateResult => html`
  <table class="sheet">
    <thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table>`;

function queueRow({ lane, waiting, due, failing, oldest_due_seconds: oldest }: Queue): TemplateResult {
  const [, waitingLabel = '', dueLabel = '', failingLabel = '', oldestLabel = ''] = work.queueColumns;
  return html`
    <tr>
      <th scope="row" class="mono">${lane}</th>
      <td data-label=${waitingLabel} class="figures">${count(waiting)}</td>
      <td data-label=${dueLabel} class="figures">${count(due)}</td>
      <td data-label=${failingLabel} class="figures">${failing === 0 ? '0' : html`<span class="badge failed">${count(failing)}</span>`}</td>
      <td data-label=${oldestLabel} class="figures">${fill(work.seconds, { n: count(oldest) })}</td>
    </tr>`;
}

function jobRow(desk: AdminDesk, { kind, id, attempts, error, run_at: at }: FailedJob): TemplateResult {
  const [, attemptsLabel = '', errorLabel = '', againLabel = '', actionLabel = ''] = work.jobColumns;
  const run = async (): Promise<void> => {
    const { changed } = await desk.service.runJob(id);
    say(changed ? work.started : work.running);
    await desk.refresh();
  };
  return html`
    <tr>
      <th scope="row" class="wraps mono">${kind}<br><span class="fine">${id}</span></th>
      <td data-label=${attemptsLabel} class="figures">${count(attempts)}</td>
      <td data-label=${errorLabel}>${error ?? '–'}</td>
      <td data-label=${againLabel}>${time(at)}</td>
      <td data-label=${actionLabel} class="row-actions">
        <button type="button" class="button quiet" aria-label=${`${work.run} ${id}`} @click=${pressing(run)}>${work.run}</button>
      </td>
    </tr>`;
}

export async function openWork(desk: AdminDesk): Promise<AdminView> {
  const [{ queues }, { jobs }, { bytes }] = await Promise.all([
    desk.service.queues(),
    desk.service.failedJobs(),
    desk.service.storage(),
  ]);
  return {
    render: () => html`
      <div class="view">
        <div class="heading">
          <h1>${work.title}</h1>
          <button type="button" class="button" @click=${pressing(() => desk.refresh())}>${work.reload}</button>
        </div>
        <p class="intro">${work.intro}</p>
        <p>${work.storage}: <strong class="figures">${size(bytes)}</strong></p>
        <h2>${work.queues}</h2>
        ${queues.length === 0 ? empty(work.noQueues) : table(work.queueColumns, queues.map(queueRow))}
        <h2>${work.jobs}</h2>
        ${
          jobs.length === 0
            ? empty(work.noJobs)
            : table(
                work.jobColumns,
                jobs.map((job) => jobRow(desk, job)),
              )
        }
      </div>`,
  };
}

function hitRow({ limit, account_id: id, count: times, last_at: at }: LimitHit): TemplateResult {
  const [, accountLabel = '', timesLabel = '', lastLabel = ''] = limits.columns;
  return html`
    <tr>
      <th scope="row" class="wraps mono">${limit}</th>
      <td data-label=${accountLabel} class="mono">${id === null ? limits.anonymous : html`<a href="#/accounts/${id}">${id}</a>`}</td>
      <td data-label=${timesLabel} class="figures">${count(times)}</td>
      <td data-label=${lastLabel}>${time(at)}</td>
    </tr>`;
}

export async function openLimits(desk: AdminDesk): Promise<AdminView> {
  const { limits: hits } = await desk.service.limits();
  return {
    render: () => html`
      <div class="view">
        <h1>${limits.title}</h1>
        <p class="intro">${limits.intro}</p>
        ${hits.length === 0 ? empty(limits.none) : table(limits.columns, hits.map(hitRow))}
      </div>`,
  };
}
