import { buildah } from './commands.ts';
import { emulationOf, HOST, type Platform } from './platform.ts';

/** The name of the image in buildah. The name for this machine's platform has no suffix. */
export function imageOf(platform: Platform): string {
  return platform === HOST ? 'localhost/tocsin' : `localhost/tocsin-${platform.architecture}`;
}

/** The name of the image that contains only Debian. */
export function baseOf({ architecture }: Platform): string {
  return `localhost/tocsin-debian-${architecture}`;
}

/** Starts a container from a local image, and returns its name. */
export function containerOf(image: string, { name }: Platform): string {
  return buildah('from', '--pull-never', '--platform', name, image);
}

/** Runs a program in a container, and returns its output. */
export function runInside(container: string, platform: Platform, ...command: string[]): string {
  const env = Object.entries(emulationOf(platform)).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  return buildah('run', ...env, container, '--', ...command);
}
