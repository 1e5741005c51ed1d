import { Button } from '@mantine/core';
import { showToast } from './toast.ts';

/**
 * A button that cannot be used while `why` gives a reason. It then looks disabled, but stays reachable by keyboard, and says the
 * reason when it is pressed, because a touch screen shows no title.
 */
export function ExplainedButton({ why, label, act }: { why: string | null; label: string; act: () => void }) {
  return (
    <Button
      variant="default"
      aria-disabled={why !== null}
      data-disabled={why !== null}
      {...(why === null ? {} : { title: why })}
      onClick={() => (why === null ? act() : showToast(why))}
    >
      {label}
    </Button>
  );
}
