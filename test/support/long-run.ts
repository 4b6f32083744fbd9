/** Whether this is `npm run test:long`, where counts are those of the promise. */
export const isLongRun = process.env.SIGNET_LONG !== undefined;
