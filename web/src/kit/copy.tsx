import { Button, CopyButton } from '@mantine/core';
import { t } from '../language/t.ts';
import classes from './copy.module.css';

/** A button that copies a text; `name` is its accessible name, and `label` is shown where several stand together. */
export function Copy({
  text,
  name,
  label = t('Copy'),
  small = false,
}: {
  text: string;
  name: string;
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
          aria-label={name}
        >
          {copied ? t('Copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}

/** A text to paste elsewhere, shown in full and with a copy button. */
export function CopyField({ text, name }: { text: string; name: string }) {
  return (
    <div className={classes.field}>
      <code className="mono">{text}</code>
      <Copy text={text} name={name} />
    </div>
  );
}
