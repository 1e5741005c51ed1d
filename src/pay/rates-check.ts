import type { Detail } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import type { Rates } from './contract.ts';

/** Problems of rates from a day on, apart from their shape. Field names have the form `rates.stages[1].from_stage`. */
export function ratesProblems({
  from,
  until,
  rates: { stages = [] },
}: {
  from: string;
  until: string | null;
  rates: Rates;
}): Detail[] {
  const numbers = stages.map(({ from_stage }) => from_stage);
  const twice = numbers.findIndex((one, index) => numbers.indexOf(one) !== index);
  return [
    ...(until !== null && until < from
      ? [
          {
            field: 'until',
            message: t('is {until}, which is before {from}; give a later day', { until, from }),
          },
        ]
      : []),
    ...(twice === -1
      ? []
      : [
          {
            field: `rates.stages[${twice}].from_stage`,
            message: t('is {stage}, which another entry has; give each stage once', {
              stage: numbers[twice] ?? 0,
            }),
          },
        ]),
  ];
}
