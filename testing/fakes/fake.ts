import type { Inbox } from './inbox.ts';
import type { Answer, ScriptedServer } from './scripted-server.ts';

/** The common interface of all fake providers. */
export type Fake = {
  /** Answers for the next requests, in order; later requests get the default answer. */
  script(...answers: Answer[]): void;
  /** The answer to every request from now on; null for the default one. */
  always(answer: Answer | null): void;
  /** Fails when something received was invalid or was not taken by the story, and lists all of it. */
  assertNothingUnexpected(): void;
  stop(): Promise<void>;
};

export function fakeOver(name: string, server: ScriptedServer, inboxes: Inbox<unknown>[]): Fake {
  return {
    script: (...answers) => server.script(...answers),
    always: (answer) => server.always(answer),
    assertNothingUnexpected: () => failOn(name, server.problems, inboxes),
    stop: () => server.stop(),
  };
}

export function failOn(name: string, problems: readonly string[], inboxes: readonly Inbox<unknown>[]): void {
  const left = inboxes.map((inbox) => inbox.leftovers()).filter((sentence) => sentence !== null);
  const findings = [...problems, ...left];
  if (findings.length > 0)
    throw new Error(`${name} saw what it should not have seen:\n- ${findings.join('\n- ')}`);
}
