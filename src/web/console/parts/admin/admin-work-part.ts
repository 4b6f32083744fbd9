import { html } from 'lit-html';
import { count, size, time } from '../../ui/format.ts';
import { action, rowAction } from '../../ui/kit/action.ts';
import { dataTable } from '../../ui/kit/data-table.ts';
import { view } from '../../ui/kit/section.ts';
import { toast } from '../../ui/toast.ts';
import type { FailedJob, LimitHit, Queue } from './admin-service.ts';
import type { AdminView, AdminWorkspace } from './admin-workspace.ts';

/** What the service does in the background, and which limits refused requests. */

async function run(workspace: AdminWorkspace, { id }: FailedJob): Promise<void> {
  const { changed } = await workspace.service.runJob(id);
  toast(changed ? 'The job runs now.' : 'The job is due or runs already.');
  await workspace.refresh();
}

const queueTable = (queues: readonly Queue[]) =>
  dataTable<Queue>(queues, 'Nothing waits.', [
    ['Queue', ({ lane }) => lane, 'mono'],
    ['Waiting', ({ waiting }) => count(waiting), 'figures'],
    ['Due', ({ due }) => count(due), 'figures'],
    [
      'Failing',
      ({ failing }) => (failing === 0 ? '0' : html`<span class="badge failed">${count(failing)}</span>`),
      'figures',
    ],
    ['Oldest due', ({ oldest_due_seconds: oldest }) => `${count(oldest)} s`, 'figures'],
  ]);

const jobTable = (workspace: AdminWorkspace, jobs: readonly FailedJob[]) =>
  dataTable<FailedJob>(jobs, 'No job has failed.', [
    ['Job', ({ kind, id }) => html`${kind}<br><span class="fine">${id}</span>`, 'wraps mono'],
    ['Attempts', ({ attempts }) => count(attempts), 'figures'],
    ['Error', ({ error }) => error ?? '–'],
    ['Next attempt', ({ run_at: at }) => time(at)],
    ['Action', (job) => rowAction('Run now', job.id, () => run(workspace, job)), 'row-actions'],
  ]);

export async function openWork(workspace: AdminWorkspace): Promise<AdminView> {
  const [{ queues }, { jobs }, { bytes }] = await Promise.all([
    workspace.service.queues(),
    workspace.service.failedJobs(),
    workspace.service.storage(),
  ]);
  const reload = action('Reload', () => workspace.refresh());
  const intro = 'What waits in the background. A failed job is tried again by itself.';
  return {
    render: () =>
      view(
        'Jobs',
        { intro, beside: reload },
        html`
          <p>Database: <strong class="figures">${size(bytes)}</strong></p>
          <h2>Queues</h2>
          ${queueTable(queues)}
          <h2>Failed jobs</h2>
          ${jobTable(workspace, jobs)}`,
      ),
  };
}

const caller = ({ account_id: id }: LimitHit) =>
  id === null ? 'without a credential' : html`<a href="#/accounts/${id}">${id}</a>`;

export async function openLimits(workspace: AdminWorkspace): Promise<AdminView> {
  const { limits } = await workspace.service.limits();
  const intro = 'Limits that refused requests since this process started, newest first. Each instance counts its own.';
  const table = dataTable<LimitHit>(limits, 'No limit was hit.', [
    ['Limit', ({ limit }) => limit, 'wraps mono'],
    ['Account', caller, 'mono'],
    ['Times', (hit) => count(hit.count), 'figures'],
    ['Last', ({ last_at: at }) => time(at)],
  ]);
  return { render: () => view('Limits hit', { intro }, table) };
}
