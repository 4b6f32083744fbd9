/**
 * Asks `GET /health` every 50 ms, in a thread of its own: the bystander's work must not hold up the clock. The worker's data
 * is the base URL. It answers any message with how long each took, in milliseconds, and ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const waits: number[] = [];
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
while (!isOver) {
  const began = performance.now();
  const reply = await fetch(`${workerData}/health`);
  await reply.arrayBuffer();
  if (reply.status !== 200) throw new Error(`GET /health: ${reply.status}`);
  waits.push(performance.now() - began);
  await sleep(50);
}
parentPort?.postMessage(waits);
