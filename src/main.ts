import { runCommandLine } from './cli/main.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
