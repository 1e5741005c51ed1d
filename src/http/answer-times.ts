const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30];

/** The metrics of `AnswerTimes` with their labels. */
export const ANSWER_METRICS = {
  tocsin_http_answers_total: ['route', 'status'],
  tocsin_http_answer_seconds: ['route'],
};

/**
 * Counts and times responses by route and renders them for Prometheus. Hundreds of routes have thousands of lines, and
 * rendering all of them at each scrape would delay pages by ten milliseconds, so each route caches its text until its
 * next request.
 */
export class AnswerTimes {
  readonly #routes = new Map<string, Route>();

  observe(route: string, status: number, seconds: number): void {
    let known = this.#routes.get(route);
    if (!known) {
      known = { statuses: new Map(), buckets: BUCKETS.map(() => 0), sum: 0, count: 0, text: null };
      this.#routes.set(route, known);
    }
    known.statuses.set(status, (known.statuses.get(status) ?? 0) + 1);
    for (const [at, limit] of BUCKETS.entries())
      if (seconds <= limit) known.buckets[at] = (known.buckets[at] ?? 0) + 1;
    known.sum += seconds;
    known.count++;
    known.text = null;
  }

  text(): string {
    const counts: string[] = [];
    const times: string[] = [];
    for (const [name, route] of this.#routes) {
      route.text ??= write(name, route);
      counts.push(route.text.counts);
      times.push(route.text.times);
    }
    return (
      '# HELP tocsin_http_answers_total HTTP answers, by route and status.\n' +
      `# TYPE tocsin_http_answers_total counter\n${counts.join('')}` +
      '# HELP tocsin_http_answer_seconds Time to answer, by route.\n' +
      `# TYPE tocsin_http_answer_seconds histogram\n${times.join('')}`
    );
  }
}

type Route = {
  statuses: Map<number, number>;
  /** Cumulative counts of responses, one for each upper bound. */
  buckets: number[];
  sum: number;
  count: number;
  text: { counts: string; times: string } | null;
};

function write(name: string, { statuses, buckets, sum, count }: Route) {
  const route = `route="${name.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`))}"`;
  const counts = [...statuses].map(
    ([status, times]) => `tocsin_http_answers_total{${route},status="${status}"} ${times}\n`,
  );
  const lines = BUCKETS.map(
    (limit, at) => `tocsin_http_answer_seconds_bucket{le="${limit}",${route}} ${buckets[at]}\n`,
  );
  return {
    counts: counts.join(''),
    times: `${lines.join('')}tocsin_http_answer_seconds_bucket{le="+Inf",${route}} ${count}
tocsin_http_answer_seconds_sum{${route}} ${sum}
tocsin_http_answer_seconds_count{${route}} ${count}\n`,
  };
}
