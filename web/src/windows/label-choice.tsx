import { Chip } from '@mantine/core';
import { t } from '../language/t.ts';
import classes from './label-choice.module.css';

/** As many as a silence can compare. */
const MOST = 20;

/** The labels of a page to choose from, such as `service=db`. */
export function LabelChoice({
  labels,
  chosen,
  choose,
}: {
  labels: readonly string[];
  chosen: readonly string[];
  choose: (labels: string[]) => void;
}) {
  return (
    <fieldset className={classes.labels}>
      <legend className="muted">{t('Labels that an alert must have, all of them')}</legend>
      <Chip.Group multiple value={[...chosen]} onChange={choose}>
        {labels.map((label) => (
          <Chip
            key={label}
            value={label}
            disabled={chosen.length >= MOST && !chosen.includes(label)}
            className="mono"
          >
            {label}
          </Chip>
        ))}
      </Chip.Group>
    </fieldset>
  );
}
