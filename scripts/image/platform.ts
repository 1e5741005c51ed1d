import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from './commands.ts';

/** A platform that the image is built for. */
export type Platform = {
  /** As `docker build --platform` has it. */
  name: string;
  /** The name of Debian, Docker and Go. */
  architecture: string;
  /** The name of Node.js and npm. */
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

/** That of this machine. */
export const HOST = platformOf(({ cpu }) => cpu === process.arch);

/** The platform of that name, or null if the image is not built for it. */
export function platformNamed(name: string): Platform | null {
  return PLATFORMS.find((platform) => platform.name === name) ?? null;
}

function platformOf(is: (platform: Platform) => boolean): Platform {
  const found = PLATFORMS.find(is);
  if (!found) throw new Error(`Tocsin has no image for ${process.arch}`);
  return found;
}

/**
 * Variables for programs that run under emulation: signed return addresses, of which Debian's programs for arm64 make many, cost QEMU
 * before release 10 ten times as much processor time with the exact algorithm of the processor.
 */
export function emulationOf(platform: Platform): Record<string, string> {
  return platform === HOST || platform.cpu !== 'arm64' ? {} : { QEMU_CPU: 'max,pauth-impdef=on' };
}

const BINFMT = '/proc/sys/fs/binfmt_misc';

/**
 * Lets this machine run programs of the platform: if it is another one, registers the emulator of the package qemu-user-static in
 * the kernel. Returns null, or why it cannot, as the end of a sentence.
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

/** Whether the kernel starts programs of the platform, also inside of containers, in which there is no emulator. */
export function isRegistered({ emulator }: Platform, folder = BINFMT): boolean {
  return readdirSync(folder)
    .filter((name) => name.includes(`qemu-${emulator}`))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .some((entry) => /^enabled$/m.test(entry) && /^flags: \w*F/m.test(entry));
}

type Emulator = { path: string; flags: string };

/** The one that is called -P gives programs their own first argument, by which BusyBox knows what it is. */
function emulatorOf({ emulator }: Platform): Emulator | null {
  const known = [
    { path: `/usr/libexec/qemu-binfmt/${emulator}-binfmt-P`, flags: 'PF' },
    { path: `/usr/bin/qemu-${emulator}-static`, flags: 'F' },
  ];
  return known.find(({ path }) => existsSync(path)) ?? null;
}

/** F: the kernel opens the emulator now, so that containers need not have it. */
function registration({ emulator, machine }: Platform, { path, flags }: Emulator): string {
  const bytes = (values: readonly number[]) =>
    values.map((value) => `\\x${value.toString(16).padStart(2, '0')}`).join('');
  // ELF of 64 bits, little end first, version 1; eight bytes that may differ in the first; a program; the machine.
  const header = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, machine, 0];
  const mask = header.map((_, at) => (at === 7 ? 0 : at === 16 ? 0xfe : 0xff));
  return `:qemu-${emulator}:M::${bytes(header)}:${bytes(mask)}:${path}:${flags}`;
}
