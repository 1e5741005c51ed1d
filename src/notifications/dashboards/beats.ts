/**
 * Short enough that proxies do not close the stream as idle (60 s is a common limit). A dashboard that misses a beat
 * treats the connection as lost.
 */
const BEAT_MS = 20_000;
/**
 * How many beats in a row a dashboard may leave unanswered. Browsers may run timers of a background tab only once a minute, which
 * is three beats.
 */
const MOST_UNANSWERED = 4;

/** One stream of server-sent events to a dashboard. */
export type Beating = {
  /** Sends a beat, which the dashboard answers. */
  beat(): void;
  /** Called when the dashboard has stopped answering. */
  silent(): void;
};

export type Beats = {
  /** Starts beats on this stream; the first one follows within one interval. */
  add(stream: Beating): Beat;
  /** Reports that answers could be received. Without it, the next beat does not count as unanswered. */
  answerable(): void;
};

export type Beat = {
  /** The dashboard answered. After its first answer it must answer every beat; dashboards of older releases never answer. */
  answered(): void;
  remove(): void;
};

/**
 * Detects dashboards that are gone although their connection looks open, for example after a network drops packets or a
 * laptop is closed. It counts beats instead of time, so that a process that was paused does not disconnect its
 * dashboards.
 */
export function createBeats(everyMs = BEAT_MS): Beats {
  const unanswered = new Map<Beating, number | null>();
  let canAnswer = false;
  let timer: NodeJS.Timeout | undefined;

  function beatAll(): void {
    for (const [stream, count] of unanswered) {
      if (count !== null && count >= MOST_UNANSWERED && canAnswer) {
        unanswered.delete(stream);
        stream.silent();
        continue;
      }
      if (count !== null && canAnswer) unanswered.set(stream, count + 1);
      stream.beat();
    }
    canAnswer = false;
  }

  return {
    add(stream) {
      unanswered.set(stream, null);
      timer ??= setInterval(beatAll, everyMs).unref();
      return {
        answered() {
          if (unanswered.has(stream)) unanswered.set(stream, 0);
        },
        remove() {
          unanswered.delete(stream);
          if (unanswered.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    answerable() {
      canAnswer = true;
    },
  };
}
