import { createCompiler } from '../src/db/statement.ts';
import { TABLES } from '../src/db/table.ts';

const ENGINES = ['sqlite', 'postgres'] as const;
const compilers = ENGINES.map((engine) => [engine, createCompiler(engine)] as const);

/** The SQL of every statement that follows from a table, for both engines, to read in a review. */
export function tableStatements(): string {
  const sections = TABLES.filter(({ statements }) => statements.length > 0).map(({ name, names, statements }) => {
    const columns = names.map((column) => `"${column}"`).join(', ');
    const texts = statements.map(({ does, statement }) => {
      const ofEngines = compilers.map(([engine, of]) =>
        `    ${engine}: ${of(statement).text}\n`.replaceAll(columns, '…'),
      );
      return `  ${does}\n${ofEngines.join('')}`;
    });
    return `${name}: ${names.join(', ')}\n${texts.sort().join('')}`;
  });
  return `Written by \`npm run generate\` from the tables in src. … stands for all columns.\n\n${sections.sort().join('\n')}`;
}
