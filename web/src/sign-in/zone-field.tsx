import { Select } from '@mantine/core';
import { zoneNames } from '../kit/zone-names.ts';
import { t } from '../language/t.ts';

export function ZoneField({ value, change }: { value: string; change: (zone: string) => void }) {
  return (
    <Select
      label={t('Time zone')}
      size="md"
      data={zoneNames(value)}
      value={value}
      onChange={(zone) => zone && change(zone)}
      searchable
      allowDeselect={false}
      maxDropdownHeight={240}
      nothingFoundMessage={t('No time zone with that name')}
    />
  );
}
