import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

type Source<Props> = {
  load: () => Promise<ComponentType<Props>>;
  loaded: ComponentType<Props> | null;
};

const waiting: (() => Promise<void>)[] = [];

/**
 * A component that is loaded after the first view, or when it is first drawn; until then, nothing is drawn in its place.
 * Unlike one of React's `lazy`, it appears at once if it is loaded: React waits 0.3 s before it replaces what it drew meanwhile.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const source: Source<Props> = { load, loaded: null };
  waiting.push(() => request(source));
  return (props) => <Later source={source} given={props} />;
}

/** Loads what was left for later. What cannot be loaded now is requested again when it is drawn. */
export async function loadTheRest(): Promise<void> {
  for (const one of waiting) await one().catch(() => undefined);
}

async function request<Props>(source: Source<Props>): Promise<void> {
  source.loaded ??= await source.load();
}

function Later<Props extends object>({ source, given }: { source: Source<Props>; given: Props }) {
  const [failure, setFailure] = useState<Error | null>(null);
  const [, setLoaded] = useState(source.loaded !== null);
  useEffect(() => {
    if (!source.loaded) request(source).then(() => setLoaded(true), setFailure);
  }, [source]);
  if (failure) throw failure;
  const Component = source.loaded;
  return Component && <Component {...given} />;
}
