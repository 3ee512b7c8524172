import type { Path } from "../../model/path.js";
import { ID } from "../identity.js";
import { refuse } from "../reading.js";
import type { CampaignRow, TemplateRow } from "../tenant.js";
import type { Recipe } from "./campaigns.js";

/** The templates of a seed, to be spoken of by name or id. */
export interface Recipes {
  /** The template of a name or an id; the id itself where it is that of a template that is gone. */
  of(words: string, path: Path): Recipe | string;
  idOf(words: string, path: Path): string;
  /** The templates, each with how many campaigns were cut from it. */
  withOccurrences(campaigns: readonly CampaignRow[]): readonly TemplateRow[];
}

/** Makes templates findable. */
export function makeRecipes(recipes: readonly Recipe[]): Recipes {
  function of(words: string, path: Path): Recipe | string {
    const byId = recipes.find(({ template }) => template.id === words);
    if (byId !== undefined) return byId;
    const [first, ...others] = recipes.filter(({ template }) => template.displayName === words);
    if (others.length > 0) return refuse(path, `is the name of several templates: write an id`);
    if (first !== undefined) return first;
    return ID.test(words) ? words : refuse(path, `speaks of ${words}, which is not a template`);
  }

  return {
    of,
    idOf(words, path) {
      const found = of(words, path);
      return typeof found === "string" ? found : found.template.id;
    },
    withOccurrences: (campaigns) =>
      recipes.map(({ template }) => {
        const occurrences = campaigns.filter((each) => each.accessReviewTemplateId === template.id).length;
        return occurrences === 0 ? template : { occurrences, ...template };
      }),
  };
}
