import { html, type TemplateResult } from 'lit-html';
import { count, size, time } from '../../ui/format.ts';
import { onPress } from '../../ui/handlers.ts';
import { empty } from '../../ui/placeholders.ts';
import { toast } from '../../ui/toast.ts';
import type { FailedJob, LimitHit, Queue } from './admin-service.ts';
import type { AdminView, AdminWorkspace } from './admin-workspace.ts';

/** What the service does in the background, and which limits refused requests. */

const table = (columns: readonly string[], rows: readonly TemplateResult[]): TemplateResult => html`
  <table class="sheet">
    <thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table>`;

const QUEUE_COLUMNS = ['Queue', 'Waiting', 'Due', 'Failing', 'Oldest due'];

function queueRow({ lane, waiting, due, failing, oldest_due_seconds: oldest }: Queue): TemplateResult {
  const [, waitingLabel = '', dueLabel = '', failingLabel = '', oldestLabel = ''] = QUEUE_COLUMNS;
  return html`
    <tr>
      <th scope="row" class="mono">${lane}</th>
      <td data-label=${waitingLabel} class="figures">${count(waiting)}</td>
      <td data-label=${dueLabel} class="figures">${count(due)}</td>
      <td data-label=${failingLabel} class="figures">${failing === 0 ? '0' : html`<span class="badge failed">${count(failing)}</span>`}</td>
      <td data-label=${oldestLabel} class="figures">${count(oldest)} s</td>
    </tr>`;
}

const JOB_COLUMNS = ['Job', 'Attempts', 'Error', 'Next attempt', 'Action'];

function jobRow(workspace: AdminWorkspace, { kind, id, attempts, error, run_at: at }: FailedJob): TemplateResult {
  const [, attemptsLabel = '', errorLabel = '', againLabel = '', actionLabel = ''] = JOB_COLUMNS;
  const run = async (): Promise<void> => {
    const { changed } = await workspace.service.runJob(id);
    toast(changed ? 'The job runs now.' : 'The job is due or runs already.');
    await workspace.refresh();
  };
  return html`
    <tr>
      <th scope="row" class="wraps mono">${kind}<br><span class="fine">${id}</span></th>
      <td data-label=${attemptsLabel} class="figures">${count(attempts)}</td>
      <td data-label=${errorLabel}>${error ?? '–'}</td>
      <td data-label=${againLabel}>${time(at)}</td>
      <td data-label=${actionLabel} class="row-actions">
        <button type="button" class="button quiet" aria-label=${`Run now ${id}`} @click=${onPress(run)}>Run now</button>
      </td>
    </tr>`;
}

export async function openWork(workspace: AdminWorkspace): Promise<AdminView> {
  const [{ queues }, { jobs }, { bytes }] = await Promise.all([
    workspace.service.queues(),
    workspace.service.failedJobs(),
    workspace.service.storage(),
  ]);
  return {
    render: () => html`
      <div class="view">
        <div class="heading">
          <h1>Work</h1>
          <button type="button" class="button" @click=${onPress(() => workspace.refresh())}>Reload</button>
        </div>
        <p class="intro">What waits in the background. A failed job is tried again by itself.</p>
        <p>Database: <strong class="figures">${size(bytes)}</strong></p>
        <h2>Queues</h2>
        ${queues.length === 0 ? empty('Nothing waits.') : table(QUEUE_COLUMNS, queues.map(queueRow))}
        <h2>Failed jobs</h2>
        ${
          jobs.length === 0
            ? empty('No job has failed.')
            : table(
                JOB_COLUMNS,
                jobs.map((job) => jobRow(workspace, job)),
              )
        }
      </div>`,
  };
}

const COLUMNS = ['Limit', 'Account', 'Times', 'Last'];

function hitRow({ limit, account_id: id, count: times, last_at: at }: LimitHit): TemplateResult {
  const [, accountLabel = '', timesLabel = '', lastLabel = ''] = COLUMNS;
  return html`
    <tr>
      <th scope="row" class="wraps mono">${limit}</th>
      <td data-label=${accountLabel} class="mono">${id === null ? 'without a credential' : html`<a href="#/accounts/${id}">${id}</a>`}</td>
      <td data-label=${timesLabel} class="figures">${count(times)}</td>
      <td data-label=${lastLabel}>${time(at)}</td>
    </tr>`;
}

export async function openLimits(workspace: AdminWorkspace): Promise<AdminView> {
  const { limits: hits } = await workspace.service.limits();
  return {
    render: () => html`
      <div class="view">
        <h1>Limits hit</h1>
        <p class="intro">Limits that refused requests since this process started, newest first. Each instance counts its own.</p>
        ${hits.length === 0 ? empty('No limit was hit.') : table(COLUMNS, hits.map(hitRow))}
      </div>`,
  };
}
