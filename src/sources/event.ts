import { oneLine } from '../kit/one-line.ts';
import type { MomentEvent } from '../moments/event.ts';
import { plainMarkdown } from '../moments/markdown.ts';
import type { SourceAction, SourceEvent } from './contract.ts';

const TITLE_LIMIT = 200;
const TEXT_LIMIT = 10_000;

const ACTIONS: Record<MomentEvent['action'], SourceAction> = {
  open: 'trigger',
  acknowledge: 'acknowledge',
  unacknowledge: 'unacknowledge',
  resolve: 'resolve',
};

/** The event that an adapter read, in the terms of page sources. The adapters of moments serve pages as well. */
export function sourceEvent(event: MomentEvent): SourceEvent {
  const title = shortened(oneLine(event.fullName ?? event.name), TITLE_LIMIT);
  return {
    action: ACTIONS[event.action],
    dedupKey: event.dedupKey,
    title,
    text: shortened(textOf(event), TEXT_LIMIT) || title,
    sourceUrl: event.sourceUrl,
    urgency: event.urgency ?? null,
    severity: event.severity ?? null,
    priority: event.priority,
    labels: event.labels ?? [],
    source: event.source,
    by: event.by ?? null,
    ...(event.pages === false ? { pages: false } : {}),
    ...(event.bare ? { bare: true } : {}),
    ...(event.edit ? { edit: true } : {}),
    occurredAt: event.occurredAt,
    at: event.at,
    ...(event.inOrder ? { inOrder: true } : {}),
  };
}

/** A moment whose name was cut has the whole name at the start of its description; a page has it in its title. */
function textOf({ description, fullName }: MomentEvent): string {
  const head = fullName === undefined ? '' : plainMarkdown(fullName);
  const text = description ?? '';
  return (
    head !== '' && fullName !== undefined && fullName.length <= TITLE_LIMIT && text.startsWith(head)
      ? text.slice(head.length)
      : text
  ).trim();
}

function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`;
}
