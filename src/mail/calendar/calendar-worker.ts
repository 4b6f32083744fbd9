/** The thread that reads calendars, one after another. */

import { serveTasks } from '../../workers/worker-task.ts';
import { readCalendar } from './calendar-read.ts';
import type { CalendarMail } from './itip-message.ts';

serveTasks<null, CalendarMail | null>('one', async (raw) => ({ reply: readCalendar(new Uint8Array(raw)) }));
