import { Fragment, type ReactNode } from 'react';
import { tParts } from '../../../src/language/contract.ts';
import './t.ts';

type Slot = ReactNode | ((text: ReactNode) => ReactNode);

/**
 * A text with elements in it, in the language of the dashboard:
 * `<Rich text="Open <link>the page</link>, raised {when}" link={(text) => <Link to="/pages">{text}</Link>} when={<When … />} />`.
 */
export function Rich({ text, ...slots }: { text: string } & Record<string, Slot>): ReactNode {
  const values = Object.entries(slots).map(([name, slot]) => [
    name,
    typeof slot === 'function' ? (parts: ReactNode[]) => slot(<Parts parts={parts} />) : slot,
  ]);
  return <Parts parts={tParts<object>(text, Object.fromEntries(values)) as ReactNode[]} />;
}

function Parts({ parts }: { parts: readonly ReactNode[] }): ReactNode {
  // The parts of a text never move, so their positions identify them.
  return parts.map((part, at) => <Fragment key={String(at)}>{part}</Fragment>);
}
