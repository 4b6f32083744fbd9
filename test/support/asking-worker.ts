/** A thread whose every message takes until its question is answered. */
import { serveTasks } from '../../src/workers/worker-task.ts';

serveTasks<string, string, string, string>('one', async (_raw, name, ask) => ({ reply: await ask(name) }));
