import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { within } from './within.ts';

/** Half as long as the source that the package exports; sending and parsing it costs more than checking a page. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type Violation = { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] };

/** Violations of WCAG 2.2 AA and of best practices on a page, one line each. */
export async function barriers(page: Page): Promise<string[]> {
  // A document keeps it while the dashboard changes views.
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(AXE);
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
