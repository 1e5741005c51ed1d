import { SegmentedControl, useMantineColorScheme } from '@mantine/core';

/** Chooses the light or dark scheme for this device. */
export function Look() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <section className="stack" aria-label="Look">
      <h2>Look</h2>
      <div className="card pad row wrap">
        <span className="grow muted">
          Without a choice of yours it is dark by night, and follows the device by day.
        </span>
        <SegmentedControl
          aria-label="Colours"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as 'auto' | 'light' | 'dark')}
          data={[
            { value: 'auto', label: 'Device' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </div>
    </section>
  );
}
