"""The use cases, by composition; `use_cases.UseCases` builds all of them."""
