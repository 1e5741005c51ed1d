/**
 * Proxies close streams that are silent for longer, 60 s being a common limit, and dashboards believe the connection to be dead
 * when they miss a beat.
 */
const BEAT_MS = 20_000;
/**
 * How many beats in a row a dashboard may leave unanswered. Browsers run what a tab in the background has to do as seldom as once a
 * minute, which is three beats.
 */
const MOST_UNANSWERED = 4;

/** One stream of server-sent events to a dashboard. */
export type Beating = {
  /** Sends a beat, which the dashboard answers. */
  beat(): void;
  /** The dashboard stopped answering: nobody is behind the connection any more. */
  silent(): void;
};

export type Beats = {
  /** Beats on this stream from now on; the first beat comes within one interval. */
  add(stream: Beating): Beat;
  /** Says that answers could be taken just now. Without it the next beat counts as unanswered for nobody. */
  answerable(): void;
};

export type Beat = {
  /** The dashboard answered. From its first answer on it is expected to answer every beat; dashboards of older releases never do. */
  answered(): void;
  remove(): void;
};

/**
 * Finds dashboards that are gone although their connection looks open: a network that drops packets, or a computer that was
 * closed, ends no connection. Counts beats rather than time, so that a process that stood still does not blame the dashboards.
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
