import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { within } from './within.ts';

type Violation = { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] };

/** Violations of WCAG 2.2 AA and of best practices on a page, one line each. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // Passed rules are not reported, which saves up to a third of the time.
  const violations = await within(
    page.evaluate<Violation[]>(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    ),
    'axe',
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary}`),
  );
}
