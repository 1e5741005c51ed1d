import { Button, CopyButton } from '@mantine/core';
import { t } from '../language/t.ts';
import classes from './copy.module.css';

/** A button that copies a text; `what` completes its accessible name, `Copy …`, and `label` is shown where several stand together. */
export function Copy({
  text,
  what,
  label = 'Copy',
  small = false,
}: {
  text: string;
  what: string;
  label?: string;
  small?: boolean;
}) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size={small ? 'compact-xs' : 'row'}
          className={classes.button}
          onClick={copy}
          aria-label={`Copy ${what}`}
        >
          {copied ? t('Copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}

/** A text to paste elsewhere, shown in full and with a copy button. */
export function CopyField({ text, what }: { text: string; what: string }) {
  return (
    <div className={classes.field}>
      <code className="mono">{text}</code>
      <Copy text={text} what={what} />
    </div>
  );
}
