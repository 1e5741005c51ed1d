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

/** A text to paste elsewhere, shown with a copy button. A text of several lines scrolls. */
export function CopyField({ text, name }: { text: string; name: string }) {
  const lines = text.trim().includes('\n');
  return (
    <div className={classes.field} data-lines={lines || undefined}>
      <code className="mono" {...(lines ? { tabIndex: 0 } : {})}>
        {text}
      </code>
      <Copy text={text} name={name} />
    </div>
  );
}
