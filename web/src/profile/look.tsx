import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { t } from '../language/t.ts';

/** Chooses the light or dark scheme for this device. */
export function Look() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <section className="stack" aria-label={t('Look')}>
      <h2>{t('Look')}</h2>
      <div className="card pad row wrap">
        <span className="grow muted">
          {t('By default it is dark at night and follows the device during the day.')}
        </span>
        <SegmentedControl
          aria-label={t('Colours')}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as 'auto' | 'light' | 'dark')}
          data={[
            { value: 'auto', label: t('Device') },
            { value: 'light', label: t('Light') },
            { value: 'dark', label: t('Dark') },
          ]}
        />
      </div>
    </section>
  );
}
