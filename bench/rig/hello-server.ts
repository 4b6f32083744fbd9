/**
 * The smallest service of the same parts, Fastify and SQLite: one route that reads one row. `sh bin/node
 * bench/rig/hello-server.ts PORT FILE`
 */
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';

const [port, file] = process.argv.slice(2) as [string, string];
const db = new DatabaseSync(file);
db.exec('PRAGMA journal_mode = WAL; create table if not exists hello (id integer primary key, text text)');
db.exec("insert or ignore into hello values (1, 'world')");
const read = db.prepare('select text from hello where id = ?');
const app = Fastify();
app.get('/health', async () => ({ hello: read.get(1)?.text }));
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
