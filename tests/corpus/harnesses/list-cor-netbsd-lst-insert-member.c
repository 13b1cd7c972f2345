/* A datum inserted before any node of one of the lists of NetBSD's make, or into an empty one, is a member of it. */

// include verifier.h

/* The data are integers, so that two can be equal; counts and flags of iterators do not matter here. */
struct ListNode {
    struct ListNode *prevPtr;
    struct ListNode *nextPtr;
    int datum;
};
struct List {
    struct ListNode *firstPtr;
    struct ListNode *lastPtr;
    _Bool isCirc;
};
typedef struct ListNode *ListNode;
typedef struct ListNode *LstNode;
typedef struct List *List;
typedef struct List *Lst;
typedef enum { SUCCESS, FAILURE } ReturnStatus;
#define LstValid(l) ((l) != NULL)
#define LstIsEmpty(l) ((l)->firstPtr == NULL)
#define LstNodeValid(ln, l) ((ln) != NULL)
#define PAlloc(node, type) \
    node = malloc(sizeof(struct type)); \
    __VERIFIER_assume(node != NULL)

// extract netbsd_Lst_InsertBefore
// rewrite "void *d" => "int d"
// rewrite "nLNode->useCount = nLNode->flags = 0;" => ""

// extract netbsd_Lst_Member
// rewrite "void *d" => "int d"

// twin "list->firstPtr = nLNode;\n\t}" => "list->lastPtr = nLNode;\n\t}"
// twin 2 "nLNode->prevPtr->nextPtr = nLNode;" => "nLNode->nextPtr->prevPtr = nLNode;"
// twin 3 "if (lNode == list->firstPtr)" => "if (lNode == list->lastPtr)"

void test(struct ListNode *first, int position, int datum) {
    struct List list;
    list.firstPtr = first;
    list.lastPtr = NULL;
    list.isCirc = 0;
    for (struct ListNode *node = first; node != NULL; node = node->nextPtr) {
        node->prevPtr = list.lastPtr;
        list.lastPtr = node;
    }
    struct ListNode *place = first;
    for (; place != NULL && place->nextPtr != NULL && position > 0; position--)
        place = place->nextPtr;
    __VERIFIER_assert(Lst_InsertBefore(&list, place, datum) == SUCCESS);
    struct ListNode *member = Lst_Member(&list, datum);
    __VERIFIER_assert(member != NULL);
    __VERIFIER_assert(member->datum == datum);
}
