import { html, nothing, type TemplateResult } from 'lit-html';
import { type Filters, writeFilters } from '../address-filters.ts';
import { messageOf } from '../console-service.ts';
import { toast } from '../toast.ts';
import { action } from './action.ts';
import { field, options } from './form.ts';

/** What a list is narrowed by. */
export interface FilterField {
  /** In the address. */
  name: string;
  label: string;
  /** `choice` needs options. `check`: `true` when it is ticked. */
  kind: 'text' | 'date' | 'choice' | 'check';
  options?: Readonly<Record<string, string>>;
  placeholder?: string;
}

function control(
  { name, kind, label, options: labels = {}, placeholder }: FilterField,
  filters: Filters,
): TemplateResult {
  const id = `filter-${name}`;
  const value = filters[name] ?? '';
  if (kind === 'check')
    return html`<label class="check filter-check"><input type="checkbox" id=${id} name=${name} value="true" .checked=${value === 'true'}> ${label}</label>`;
  if (kind === 'choice') {
    const known = value === '' || value in labels ? labels : { ...labels, [value]: value };
    return field(
      id,
      label,
      html`<select id=${id} name=${name}><option value="">All</option>${options(known, value)}</select>`,
    );
  }
  return field(
    id,
    label,
    kind === 'date'
      ? html`<input type="date" id=${id} name=${name} .value=${value.slice(0, 10)}>`
      : html`<input type="text" id=${id} name=${name} .value=${value} placeholder=${placeholder ?? nothing}
          autocomplete="off" spellcheck="false" maxlength="200">`,
  );
}

const filled = (of: HTMLFormElement): Filters =>
  Object.fromEntries(
    [...new FormData(of)].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
    ),
  );

/** The filters of a list. Each change shows in the address at once. @param change reads the list again */
export function filterBar(
  fields: readonly FilterField[],
  filters: Filters,
  change: (filters: Filters) => Promise<void>,
): TemplateResult {
  const narrow = (to: Filters): Promise<void> => {
    writeFilters(to);
    return change(to).catch((err) => toast(messageOf(err), { isProblem: true }));
  };
  const changed = (event: Event): void => {
    event.preventDefault();
    void narrow(filled(event.currentTarget as HTMLFormElement));
  };
  return html`
    <form class="filters" role="search" aria-label="Filters" @change=${changed} @submit=${changed}>
      ${fields.map((one) => control(one, filters))}
      ${Object.keys(filters).length === 0 ? nothing : action('Clear filters', () => narrow({}), { kind: 'quiet', id: 'clear-filters' })}
    </form>`;
}
