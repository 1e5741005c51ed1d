import { Button } from '@mantine/core';
import { showToast } from './toast.ts';

/**
 * A button that cannot be used while `why` gives a reason. It then looks disabled, but stays reachable by keyboard, and says the
 * reason when it is pressed, because a touch screen shows no title.
 */
export function ExplainedButton({
  why,
  label,
  act,
  main = false,
  busy = false,
}: {
  why: string | null;
  label: string;
  act: () => void;
  /** Whether it is the main button of its view. */
  main?: boolean;
  /** It acts already. It keeps the focus meanwhile, which a disabled button would lose. */
  busy?: boolean;
}) {
  return (
    <Button
      variant={main ? 'filled' : 'default'}
      aria-busy={busy}
      aria-disabled={why !== null}
      data-disabled={why !== null}
      {...(why === null ? {} : { title: why })}
      onClick={() => (why !== null ? showToast(why) : busy ? undefined : act())}
    >
      {label}
    </Button>
  );
}
