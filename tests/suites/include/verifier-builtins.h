/* What Predator's tests include under this name, in words of our own. Plots and breakpoints do nothing. */
extern void __VERIFIER_fail(void);
extern void __VERIFIER_error(void);
extern void __VERIFIER_assert(int condition);
extern int __VERIFIER_nondet_int(void);
#define __VERIFIER_plot(...) ((void)0)
#define ___sl_plot(...) ((void)0)
#define ___sl_plot_trace_now(...) ((void)0)
#define ___sl_plot_trace_once(...) ((void)0)
#define ___sl_enable_debugging_of(...) ((void)0)
#define ___sl_break(...) ((void)0)
#define ___SL_BREAK_IF(...) ((void)0)
#define ___sl_error(...) __VERIFIER_fail()
#define ___sl_get_nondet_int() __VERIFIER_nondet_int()
