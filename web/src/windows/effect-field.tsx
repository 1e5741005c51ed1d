import { SegmentedControl } from '@mantine/core';
import type { WindowEffect } from '../../../src/sources/windows-api-contract.ts';
import { t } from '../language/t.ts';
import { effectWords } from './words.ts';

/** What happens to alerts during a window. */
export function EffectField({ value, set }: { value: WindowEffect; set: (effect: WindowEffect) => void }) {
  return (
    <div className="stack" style={{ gap: 6 }}>
      <SegmentedControl
        aria-label={t('Alerts')}
        fullWidth
        data={[
          { value: 'hold', label: t('Hold until the end') },
          { value: 'record', label: t('Only record') },
        ]}
        value={value}
        onChange={(effect) => set(effect === 'record' ? 'record' : 'hold')}
      />
      <span className="muted">{effectWords(value)}</span>
    </div>
  );
}
