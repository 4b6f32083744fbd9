/** The thread that reads calendars, one after another. */
import type { CalendarMail } from './calendar-data.ts';
import { readCalendar } from './calendar-read.ts';
import { serveTasks } from './worker-task.ts';

serveTasks<null, CalendarMail | null>('one', async (raw) => ({ reply: readCalendar(new Uint8Array(raw)) }));
