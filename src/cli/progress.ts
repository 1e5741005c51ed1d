const PATIENCE_MS = 1_000;

/** Shows progress after a second, so that quick commands print nothing. */
export type Progress = {
  step(sentence: string): void;
  end(): void;
};

export function createProgress(write: (sentence: string) => void, patienceMs = PATIENCE_MS): Progress {
  let current: string | null = null;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    if (current !== null) write(current);
  }, patienceMs);
  timer.unref();
  return {
    step(sentence) {
      if (late && sentence !== current) write(sentence);
      current = sentence;
    },
    end() {
      clearTimeout(timer);
      current = null;
      late = false;
    },
  };
}
