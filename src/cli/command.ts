import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { INSTANT_HINT, parseInstant } from '../kit/instant.ts';
import type { Streams } from './output.ts';

/** A command with the help format of all our commands: examples at the end, and usage errors in one sentence. */
export function createCommand(name: string, description: string, examples: readonly string[] = []): Command {
  const command = new Command(name).description(description).helpCommand(false);
  if (examples.length > 0)
    command.addHelpText(
      'after',
      `\nExamples:\n${examples.map((line) => `  $ ${shellLine(line)}`).join('\n')}`,
    );
  return command;
}

/** Adds the program's name, unless the example contains it elsewhere. */
function shellLine(example: string): string {
  return /(^|[\s(])tocsin /.test(example) ? example : `tocsin ${example}`;
}

/** Makes a command and its subcommands throw instead of ending the process, and write to these streams. */
export function harness(command: Command, { stdout, stderr }: Streams): Command {
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (sub) => `${sub.name()} ${sub.usage()}`.trim(),
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(usageSentence(text, command)),
    });
  for (const sub of command.commands) harness(sub, { stdout, stderr });
  return command;
}

function usageSentence(text: string, command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name());
  return `${usageProblem(text)}; see: ${names.join(' ')} --help\n`;
}

/** Commander's message about wrong usage, as the beginning of a sentence. */
export function usageProblem(text: string): string {
  const sentence = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Parses an option with a time. */
export function instantOption(text: string): Temporal.Instant {
  const at = parseInstant(text);
  if (at) return at;
  throw new InvalidArgumentError(`Give ${INSTANT_HINT}.`);
}

/** What an option with a secret says about it. */
export const SECRET_HINT =
  '- reads it from standard input, because the list of processes shows the options of a command';

/** Parses an option with a secret; `-` is the secret on standard input, without the end of its line. */
export function secretOption(text: string): string {
  const secret = text === '-' ? readFileSync(0, 'utf8').replace(/\r?\n$/, '') : text;
  if (secret !== '') return secret;
  throw new InvalidArgumentError('It is empty; give a secret, or - and the secret on standard input.');
}

/** Parses an option with a JSON object, whose contents are not checked here. */
export function jsonOption(text: string): object {
  const read = readObject(text);
  if (read) return read;
  throw new InvalidArgumentError('It is not a JSON object; give one such as \'{"type": "incident"}\'.');
}

function readObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

const DURATION = /^(?:(\d{1,3})d)?(?:(\d{1,4})h)?(?:(\d{1,6})m)?$/;

/** Parses an option with a time such as `2h` or `1d12h`, into minutes. */
export function minutesOption(text: string): number {
  const [, days = 0, hours = 0, minutes = 0] = DURATION.exec(text.trim()) ?? [];
  const total = Number(days) * 1_440 + Number(hours) * 60 + Number(minutes);
  if (total > 0) return total;
  throw new InvalidArgumentError('Give a time such as 45m, 2h or 1d12h.');
}
