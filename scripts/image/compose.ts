import { run } from './commands.ts';
import type { Report } from './report.ts';
import { goProgram } from './tools.ts';

/** Reads the compose files with Docker's own program. */
export function checkCompose(report: Report): void {
  const compose = goProgram('docker-compose', 'github.com/docker/compose/v2/cmd', 'v2.40.3');
  if ('missing' in compose) {
    report.couldNot(`The compose files were not checked, because ${compose.missing}.`);
    return;
  }
  const env = { POSTGRES_PASSWORD: 'x' };
  for (const files of [['compose.yaml'], ['compose.yaml', 'compose.postgres.yaml']])
    run(compose.path, [...files.flatMap((file) => ['--file', file]), 'config', '--quiet'], env);
  report.fact('docker compose config accepts both compose files.');
  report.couldNot(
    'The compose files were not started, because their images of Caddy and PostgreSQL are in a registry.',
  );
}
