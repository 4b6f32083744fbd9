/** Fields that search: an emptied one shows everything again, at once. */

const fieldOf = ({ target }: Event): HTMLInputElement | null =>
  target instanceof HTMLInputElement && target.type === 'search' ? target : null;

/** The form searches again, for nothing. A list that narrows as a person types hears `input` itself. */
const searchAgain = (field: HTMLInputElement): void => field.form?.requestSubmit();

/** Whatever empties a search field also takes back the search: its cross, the keyboard, and Escape where it has text. */
export function followSearchFields(): void {
  document.addEventListener('input', (event) => {
    const field = fieldOf(event);
    if (field?.value === '') searchAgain(field);
  });
  document.addEventListener('keydown', (event) => {
    const field = fieldOf(event);
    if (event.key !== 'Escape' || !field || field.value === '') return;
    event.preventDefault();
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
