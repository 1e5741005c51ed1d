import type { TeamSlug } from './people.ts';

/** Texts of pages in the example. `alert`: the alert of the moment that came with the page. */
export type PageText = { title: string; text: string; alert?: string; instance?: string };

export const PAGE_TEXTS: Record<TeamSlug, readonly PageText[]> = {
  platform: [
    {
      title: 'Disk of db-02 will be full in two hours',
      text: '`/var/lib/postgresql` is at 93 % and grows by 3 % an hour.\n\nRunbook: drop the oldest partitions first.',
      alert: 'DiskWillFill',
      instance: 'db-02',
    },
    {
      title: 'Error rate of the API gateway above 5 %',
      text: 'For 6 minutes now, mostly **502** from `eu-west-1`. The last deploy went out 20 minutes ago.',
      alert: 'GatewayErrors',
      instance: 'gateway-eu',
    },
    {
      title: 'Certificate of *.fernway.example ends in two days',
      text: 'The renewal failed three times. See the log of `certs` on edge-1.',
      alert: 'CertificateEndsSoon',
      instance: 'edge-1',
    },
    {
      title: 'Replica db-03 is 15 minutes behind',
      text: 'Reports read old figures. Writes are fine.',
      alert: 'ReplicationLag',
      instance: 'db-03',
    },
    {
      title: 'Node worker-17 does not answer',
      text: 'No heartbeat for 5 minutes; 11 jobs were moved to other nodes.',
      alert: 'NodeDown',
      instance: 'worker-17',
    },
    {
      title: 'Deploys are stuck',
      text: 'The queue has 9 builds, the oldest waits for 40 minutes. Nobody can ship.',
    },
    {
      title: 'DNS answers slowly',
      text: 'p99 is 900 ms from our resolvers. Customers see time-outs at login.',
    },
    {
      title: 'The queue of labels grows',
      text: '48,000 messages wait, consumers run. Labels come 12 minutes late.',
      alert: 'QueueGrows',
      instance: 'labels',
    },
  ],
  payments: [
    {
      title: 'Card payments fail in checkout',
      text: '31 % of charges are declined with `processing_error` since 8 minutes. The provider says nothing yet.',
      alert: 'ChargeFailures',
      instance: 'checkout',
    },
    {
      title: 'Payouts of today are not out',
      text: 'The run of 06:00 stopped at merchant 4,112. Banks close at 15:00.',
    },
    {
      title: 'Refunds are done twice',
      text: 'Support has four cases since noon. Stop the worker first, then look.',
    },
    {
      title: 'Webhook of the card provider is refused',
      text: 'We answer 401 since the secret was changed. Events wait on their side for 3 days.',
      alert: 'ProviderCallsRefused',
      instance: 'payments-api',
    },
    {
      title: 'Direct debits are refused by two banks',
      text: 'Return code AC04 for 61 customers since midnight. The mandate file looks right.',
    },
    {
      title: 'Fraud rules block every order above 500 €',
      text: 'Rule 17 was switched on at 11:20 by hand.',
      alert: 'OrdersBlocked',
      instance: 'fraud',
    },
    {
      title: 'Invoices have the wrong tax in Portugal',
      text: 'Since the release of this morning. 212 invoices so far.',
    },
    {
      title: 'Latency of /charge above 2 s',
      text: 'p95 is 2.4 s, usually 310 ms. The database is idle.',
      alert: 'ChargeLatency',
      instance: 'payments-api',
    },
  ],
  data: [
    {
      title: 'Tracking events come late',
      text: 'The newest event is 25 minutes old. Customers see parcels that do not move.',
      alert: 'TrackingLag',
      instance: 'tracking',
    },
    {
      title: 'Nightly forecast did not run',
      text: 'Depots plan their drivers with it at 04:30.',
    },
    {
      title: 'Warehouse is out of slots',
      text: '14 queries wait; the longest is a backfill from yesterday.',
      alert: 'WarehouseSlots',
      instance: 'warehouse',
    },
    {
      title: 'Export to customs is empty',
      text: 'The file of 02:00 has a header and no lines. The one before had 18,204.',
    },
    {
      title: 'Estimated arrival is off by hours',
      text: 'Since the model of this morning, in Spain only. Support gets calls.',
      alert: 'EtaError',
      instance: 'eta',
    },
    {
      title: 'Scans of depot Leipzig are missing',
      text: 'The last file is from 21:10. The depot works, the upload does not.',
    },
    {
      title: 'Stream of scans has a poison message',
      text: 'Partition 7 stands still at offset 88,120,451.',
      alert: 'PartitionStuck',
      instance: 'scans',
    },
    {
      title: 'Map tiles answer 404',
      text: 'The depot screens are blank in Osaka and Nagoya.',
      alert: 'TilesMissing',
      instance: 'tiles',
    },
  ],
};

export const PERSON_TEXTS: readonly PageText[] = [
  {
    title: 'Please call the depot in Porto',
    text: 'Their scanners are offline since 05:40, and the trucks wait.',
  },
  {
    title: 'Need your approval for the rollback',
    text: 'It takes the new labels with it. Lena is on the bridge.',
  },
  {
    title: 'Customer asks for you',
    text: 'They have the contract before them and want to know about the outage.',
  },
];

export const COMMENTS: readonly string[] = [
  'Looking.',
  'Rolling back to the release before. Ten minutes.',
  'It is the provider: their status page turned yellow just now.',
  'Same as last month. The ticket about the retry loop is still open, I raise its priority.',
  'Drained the node, traffic is normal again. I watch it for a while.',
  'Wrong alert: the threshold is from before the migration. Changed it.',
  'Added a replica by hand. **To do tomorrow**: make that automatic.',
  'Support has been informed.',
];
