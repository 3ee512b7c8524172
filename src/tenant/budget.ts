/** A number of calls that reads may make, shared by works that run side by side. */
export interface Budget {
  /** Takes so many calls, or one; false where so many are not left. Waits only where that is not known yet. */
  take(calls?: number): boolean | Promise<boolean>;
  /** Whether so many calls are left. */
  allows(calls: number): boolean | Promise<boolean>;
  /**
   * Runs works side by side, each with a budget of its own in which the calls that it expects are kept for it. What it
   * may spend beyond them is what those before it leave: it never depends on which reply comes first.
   */
  sideBySide<T extends readonly unknown[] | []>(
    works: {
      readonly [At in keyof T]: BudgetedWork<T[At]>;
    },
  ): Promise<T>;
}

/** A work, and how many calls it is expected to need; `rest` for one that may need all that is left. */
export interface BudgetedWork<T> {
  readonly calls: number | "rest";
  readonly run: (budget: Budget) => Promise<T>;
}

/** Makes a budget of so many calls. */
export function makeBudget(calls: number): Budget {
  return makePurse(calls, async () => calls).budget;
}

/** A budget as those beside it see it. */
interface Purse {
  readonly budget: Budget;
  readonly spent: () => number;
}

/** `kept` may be spent at once; `allowance` tells later how much there is in all. */
function makePurse(kept: number, allowance: () => Promise<number>): Purse {
  let most = kept;
  let spent = 0;
  let asked: Promise<number> | null = null;

  function whole(): Promise<number> {
    asked ??= allowance().then((all) => {
      most = all;
      return all;
    });
    return asked;
  }

  function allows(calls: number): boolean | Promise<boolean> {
    return spent + calls <= most || whole().then((all) => spent + calls <= all);
  }

  function spend(calls: number, isAllowed: boolean): boolean {
    if (isAllowed) spent += calls;
    return isAllowed;
  }

  async function sideBySide<T extends readonly unknown[] | []>(
    works: {
      readonly [At in keyof T]: BudgetedWork<T[At]>;
    },
  ): Promise<T> {
    const shares = sharesOf(works, most - spent);
    const purses: Purse[] = [];
    const results: Promise<unknown>[] = [];
    for (const [at, { run }] of works.entries()) {
      const before = results.slice();
      const purse = makePurse(shares[at] ?? 0, async () => {
        await Promise.allSettled(before);
        const used = sum(purses.slice(0, at).map((other) => other.spent()));
        return (await whole()) - spent - used - sum(shares.slice(at + 1));
      });
      purses.push(purse);
      results.push(run(purse.budget));
    }
    const found = await Promise.all(results);
    spent += sum(purses.map((purse) => purse.spent()));
    return found as unknown as T;
  }

  const budget: Budget = {
    take(calls = 1) {
      const isAllowed = allows(calls);
      return isAllowed === true
        ? spend(calls, true)
        : whole().then((all) => spend(calls, spent + calls <= all));
    },
    allows,
    sideBySide,
  };
  return { budget, spent: () => spent };
}

/** What is kept for each work: what it expects, as far as there is so much; the rest for the first that may need it. */
function sharesOf(
  works: readonly Pick<BudgetedWork<unknown>, "calls">[],
  certain: number,
): readonly number[] {
  let left = Math.max(0, certain);
  const keep = (calls: number) => {
    const kept = Math.min(left, calls);
    left -= kept;
    return kept;
  };
  const expected = works.map(({ calls }) => (calls === "rest" ? 0 : keep(calls)));
  return works.map(({ calls }, at) => (calls === "rest" ? keep(left) : (expected[at] ?? 0)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
