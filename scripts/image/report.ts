import type { Platform } from './platform.ts';

export type Report = {
  /** Prints a measured or checked fact. */
  fact(sentence: string): void;
  /** Notes what could not be done on this machine, as a sentence with its reason. */
  couldNot(sentence: string): void;
};

/** A part of `npm run image`, which may build something for a platform. */
export type Step = (report: Report, platform: Platform) => Promise<void> | void;

export type Reporting = Report & {
  /** Runs a part. If it throws, the run fails, but the next parts still run. */
  step(name: string, run: (report: Report) => Promise<void> | void): Promise<void>;
  /** Prints the summary, and returns the exit code. */
  end(): number;
};

export function createReport(say: (line: string) => void = (line) => console.log(line)): Reporting {
  const missing: string[] = [];
  const wrong: string[] = [];
  const report: Report = {
    fact: (sentence) => say(`  ${sentence}`),
    couldNot(sentence) {
      missing.push(sentence);
      say(`  not done: ${sentence}`);
    },
  };
  return {
    ...report,
    async step(name, run) {
      say(name);
      try {
        await run(report);
      } catch (error) {
        wrong.push(name);
        say(`  wrong: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    end() {
      say('');
      say(missing.length === 0 ? 'Everything was tried.' : 'What could not be tried here:');
      for (const sentence of missing) say(`- ${sentence}`);
      if (wrong.length > 0) say(`Wrong: ${wrong.join(', ')}; see above.`);
      return wrong.length > 0 ? 1 : 0;
    },
  };
}
