import { slotCounter } from '../../../db/slot-counter.ts';
import { PROGRAMS } from './finding-table.ts';

/** How many programs each account has that have not ended. */
export const programSlots = slotCounter('programs');

export const insertProgram = PROGRAMS.insert();
/** The program with this key, or null when there is none or it has ended. */
export const findProgramByKey = PROGRAMS.find(['keyHash'], { endedAt: null });
export const listPrograms = PROGRAMS.page(['accountId']);

/** @returns false when the account has no such program, or it has ended */
export const endProgram = PROGRAMS.patch(['endedAt'], { endedAt: null }, ['id', 'accountId']);
