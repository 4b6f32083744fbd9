/** The number of this process in five digits: for names whose length must not depend on the machine. */
export const PROCESS_NUMBER = String(process.pid % 100_000).padStart(5, '0');
