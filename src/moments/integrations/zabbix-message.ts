/** Reads the lines of Zabbix's own message templates, for media types that only send a subject and a message. */
export type ZabbixMessage = { host: string | null; severity: string | null; problemId: string | null };

const LONGEST = 4_000;

export function readZabbixMessage(message: string | null): ZabbixMessage {
  const lines = message?.slice(0, LONGEST).split(/\r?\n/, 50) ?? [];
  const after = (name: string): string | null => {
    const line = lines.find((one) => one.toLowerCase().startsWith(`${name}:`));
    return (
      line
        ?.slice(name.length + 1)
        .trim()
        .slice(0, 255) || null
    );
  };
  return { host: after('host'), severity: after('severity'), problemId: after('original problem id') };
}
