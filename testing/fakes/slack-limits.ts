type Text = { type: string; text: string };
export type SlackBlock = {
  type: string;
  text?: Text;
  elements?: { type: string; text?: Text | string; action_id?: string; value?: string; url?: string }[];
};

const TEXT_LIMITS: Record<string, number> = { header: 150, section: 3000 };

/** Violations of Slack's documented limits by the blocks of a message; empty when Slack would accept them. */
export function slackLimits(blocks: SlackBlock[]): string[] {
  const problems = blocks.flatMap((block) => [...textProblems(block), ...elementProblems(block)]);
  return blocks.length > 50 ? [...problems, 'more than 50 blocks'] : problems;
}

function textProblems(block: SlackBlock): string[] {
  const limit = TEXT_LIMITS[block.type];
  if (limit === undefined) return [];
  const length = block.text?.text.length ?? 0;
  if (length === 0) return [`a ${block.type} without text`];
  return length > limit ? [`a ${block.type} of ${length} characters, ${limit} being the limit`] : [];
}

function elementProblems(block: SlackBlock): string[] {
  const elements = block.elements ?? [];
  if (block.type === 'context') return elements.length > 10 ? ['more than 10 elements of context'] : [];
  if (block.type !== 'actions') return [];
  if (elements.length === 0) return ['an empty row of buttons'];
  return elements.flatMap((element) => {
    const label = typeof element.text === 'object' ? element.text.text : '';
    return [
      label.length === 0 || label.length > 75 ? `a button with a label of ${label.length} characters` : null,
      (element.value?.length ?? 0) > 2000 ? 'a button whose value is longer than 2,000 characters' : null,
      (element.url?.length ?? 0) > 3000 ? 'a button whose URL is longer than 3,000 characters' : null,
    ].filter((problem) => problem !== null);
  });
}
