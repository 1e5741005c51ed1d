import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from './commands.ts';

/** A platform that the image is built for. */
export type Platform = {
  /** In the form of `docker build --platform`. */
  name: string;
  /** The name in Debian, Docker and Go. */
  architecture: string;
  /** The name in Node.js and npm. */
  cpu: string;
  /** The machine in the header of an ELF file. */
  machine: number;
  /** The name of its emulator in Debian, after `qemu-`. */
  emulator: string;
};

export const PLATFORMS: readonly Platform[] = [
  { name: 'linux/amd64', architecture: 'amd64', cpu: 'x64', machine: 0x3e, emulator: 'x86_64' },
  { name: 'linux/arm64', architecture: 'arm64', cpu: 'arm64', machine: 0xb7, emulator: 'aarch64' },
];

/** The platform of this machine. */
export const HOST = platformOf(({ cpu }) => cpu === process.arch);

/** The platform with that name, or null if the image is not built for it. */
export function platformNamed(name: string): Platform | null {
  return PLATFORMS.find((platform) => platform.name === name) ?? null;
}

function platformOf(is: (platform: Platform) => boolean): Platform {
  const found = PLATFORMS.find(is);
  if (!found) throw new Error(`Tocsin has no image for ${process.arch}`);
  return found;
}

/**
 * Variables for programs that run under emulation. Debian's programs for arm64 sign many return addresses; with the
 * processor's exact algorithm, this costs QEMU before release 10 ten times as much processor time.
 */
export function emulationOf(platform: Platform): Record<string, string> {
  return platform === HOST || platform.cpu !== 'arm64' ? {} : { QEMU_CPU: 'max,pauth-impdef=on' };
}

const BINFMT = '/proc/sys/fs/binfmt_misc';

/**
 * Lets this machine run programs of the platform. For another platform, this registers the emulator of the package
 * qemu-user-static in the kernel. Returns null, or the reason why it cannot, as the end of a sentence.
 */
export function enable(platform: Platform): string | null {
  if (platform === HOST) return null;
  if (!existsSync(join(BINFMT, 'register')) && !attempt('mount', ['-t', 'binfmt_misc', 'none', BINFMT]).ok)
    return `binfmt_misc cannot be mounted on ${BINFMT}, where the kernel learns of emulators`;
  if (isRegistered(platform)) return null;
  const emulator = emulatorOf(platform);
  if (emulator === null) return 'the package qemu-user-static is not installed';
  try {
    writeFileSync(join(BINFMT, 'register'), registration(platform, emulator));
  } catch (error) {
    return `the kernel did not accept the emulator ${emulator.path}: ${error instanceof Error ? error.message : error}`;
  }
  return null;
}

/** Whether the kernel starts programs of the platform, also inside containers that have no emulator. */
export function isRegistered({ emulator }: Platform, folder = BINFMT): boolean {
  return readdirSync(folder)
    .filter((name) => name.includes(`qemu-${emulator}`))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .some((entry) => /^enabled$/m.test(entry) && /^flags: \w*F/m.test(entry));
}

type Emulator = { path: string; flags: string };

/** The variant with -P passes on a program's own first argument, by which BusyBox recognises its name. */
function emulatorOf({ emulator }: Platform): Emulator | null {
  const known = [
    { path: `/usr/libexec/qemu-binfmt/${emulator}-binfmt-P`, flags: 'PF' },
    { path: `/usr/bin/qemu-${emulator}-static`, flags: 'F' },
  ];
  return known.find(({ path }) => existsSync(path)) ?? null;
}

/** F: the kernel opens the emulator now, so that containers need not contain it. */
function registration({ emulator, machine }: Platform, { path, flags }: Emulator): string {
  const bytes = (values: readonly number[]) =>
    values.map((value) => `\\x${value.toString(16).padStart(2, '0')}`).join('');
  // 64-bit ELF, little-endian, version 1, any OS ABI; padding; an executable, position-independent or not; the machine.
  const header = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, machine, 0];
  const mask = header.map((_, at) => (at === 7 ? 0 : at === 16 ? 0xfe : 0xff));
  return `:qemu-${emulator}:M::${bytes(header)}:${bytes(mask)}:${path}:${flags}`;
}
