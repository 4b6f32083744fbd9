import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of the lock file (docs.npmjs.com, package-lock.json). */
interface Locked {
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  link?: boolean;
}

/** What the files of a folder take on the disk, without its packages, in bytes. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : lstatSync(path).blocks * 512);
  }, 0);
}

/**
 * The size of a production install, from the lock file and the packages that are here: what `npm ci --omit=dev
 * --omit=optional` installs, as the Dockerfile does, the project's own Node, and what the image copies.
 */
export function installSize(): { packages: number; node: number; sources: number; largest: string[] } {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
  const sizes = Object.entries(packages)
    .filter(([path, { dev, optional, devOptional, link }]) => path !== '' && !dev && !optional && !devOptional && !link)
    .map(([path]) => ({ path, bytes: existsSync(path) ? sizeOf(path) : 0 }))
    .sort((a, b) => b.bytes - a.bytes);
  return {
    packages: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    node: lstatSync(process.execPath).size,
    sources: ['bin', 'src', 'docs'].reduce((sum, folder) => sum + sizeOf(folder), 0),
    largest: sizes
      .slice(0, 4)
      .map(({ path, bytes }) => `${path.replace('node_modules/', '')} ${(bytes / 1e6).toFixed(0)} MB`),
  };
}
