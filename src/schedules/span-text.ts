import type { Interval } from '../kit/interval.ts';
import { locale, t } from '../language/contract.ts';

/** `Tue 24 Nov 09:00 to Wed 25 Nov 09:00 (Europe/Berlin)`, for a reader in that zone. */
export function spanText({ from, to }: Interval, timeZone: string): string {
  return t('{from} to {to} ({zone})', {
    ...{ from: momentText(from, timeZone), to: momentText(to, timeZone), zone: timeZone },
  });
}

/** `stage 1, Tue 24 Nov 09:00 to Wed 25 Nov 09:00`, where the zone is named elsewhere. */
export function stagePeriodText({ stage, from, to }: Interval & { stage: number }, timeZone: string): string {
  return t('stage {stage}, {from} to {to}', {
    ...{ stage, from: momentText(from, timeZone), to: momentText(to, timeZone) },
  });
}

/** `Tue 24 Nov 09:00` */
export function momentText(epochMilliseconds: number, timeZone: string): string {
  const at = Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toZonedDateTimeISO(timeZone);
  const day = at.toLocaleString(locale() === 'en' ? 'en-GB' : locale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
  return `${day.replace(',', '')} ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}
