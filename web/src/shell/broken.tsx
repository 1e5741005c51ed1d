import { Button } from '@mantine/core';

/** A view that failed. Most often it is a part that a newer version of the service does not have any more. */
export function Broken({ error }: { error: unknown }) {
  return (
    <div className="view">
      <h1>This view does not work</h1>
      <div className="card pad row wrap" role="alert">
        <span className="grow wordwrap">
          Load it again; if it stays so, tell who runs this service:{' '}
          <span className="mono">{error instanceof Error ? error.message : String(error)}</span>
        </span>
        <Button onClick={() => window.location.reload()}>Load again</Button>
      </div>
    </div>
  );
}
