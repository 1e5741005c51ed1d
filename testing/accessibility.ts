import { setTimeout as delay } from 'node:timers/promises';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

type Violation = { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] };

/** What would keep people from using this page, by the rules of WCAG 2.2 AA and good practice; one line each. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // What holds need not be described; that is up to a third of the work.
  const violations = await Promise.race([
    page.evaluate<Violation[]>(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    ),
    delay(PATIENCE_MS, null, { ref: false }),
  ]);
  if (violations === null) throw new Error(`axe did not finish within ${PATIENCE_MS} ms`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
}
